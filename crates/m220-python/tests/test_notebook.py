"""The notebook runs from its first cell to its last."""

import pathlib

import nbformat
from nbclient import NotebookClient

NOTEBOOK = pathlib.Path(__file__).with_name("botvinnik-1968.ipynb")


def test_the_notebook_runs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(cells) == 12
    assert all(cell.execution_count for cell in cells)
    pictures = [out for cell in cells for out in cell.outputs if "image/svg+xml" in out.get("data", {})]
    assert len(pictures) >= 5
