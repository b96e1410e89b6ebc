"""The documents of the repository as pages: where they come from, their links, their boards.

A page of the navigation is a file of the repository, which stays where it is and is found by its path, or is made here:
the essay on one page, the book's figures, the table of codes. Links between the pages are MkDocs' own. A link to any
other file leads to the repository, whose address GitHub's variables give; without them only its text stays. A question
in a text, a program, or a position gets a link that opens it in the laboratory beside, and a board as the command
`m220` draws it.
"""

import base64
import html
import json
import os
import re
import shlex
import subprocess
import zlib
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote

from mkdocs.structure.files import File
from mkdocs.structure.nav import Link, Navigation

ROOT = Path(__file__).parents[2]
M220 = os.environ.get("M220", str(ROOT / "target/debug/m220"))
REPOSITORY = "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/blob/{GITHUB_SHA}/".format_map(os.environ) \
    if "GITHUB_REPOSITORY" in os.environ else None
ESSAY = ROOT / "crates/m220-console/essay"
PICTURES = "crates/m220-cli/docs/pictures"

WORDS = {
    "en": {
        "name": "The M-220 chess laboratory",
        "laboratory": "The laboratory",
        "search": "Search",
        "open": "Open in the laboratory",
        "essay": "The essay",
        "live": "The essay on one page, to read and to print. In [its chapters] the machine runs between the paragraphs.",
        "run": "The machine runs in this chapter",
    },
    "ru": {
        "name": "Шахматная лаборатория М-220",
        "laboratory": "Лаборатория",
        "search": "Поиск",
        "open": "Открыть в лаборатории",
        "essay": "Очерк",
        "live": "Очерк на одной странице — прочесть и напечатать. В [главах] машина работает прямо между абзацами.",
        "run": "В этой главе работает машина",
    },
}

# The fields of a question that the machine takes, by its task; `best` opens as the analysis on which it rests.
FIELDS = {
    "trajectories": ["fen", "from", "to", "piece", "colour", "max_moves"],
    "attacks": ["fen", "horizon"],
    "mate": ["fen", "moves"],
    "endings": ["fen", "ending"],
    "map": ["fen", "horizon"],
    "analyse": ["fen", "horizon"],
    "best": ["fen"],
    "relations": ["fen"],
}
FREE = "8/8/8/8/8/8/8/8 w - - 0 1"

FENCE = re.compile(r"^```(\w*)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
# The marks of a heading would get into its anchor: it is found whole, without a code.
CODE = re.compile(r"^#.*$|(?<!`)`([^`]+)`(?!`)", re.M)
FEN = re.compile(r"(?:[1-8pnbrqkPNBRQK]+/){7}[1-8pnbrqkPNBRQK]+(?: [wb].*)?")
SHEETS = ["machine", "codes"]
PROGRAM = re.compile(r"^\s+start\s+\w", re.M)

navs = {}


def m220(*arguments):
    """What the command prints; an answer that is no success is shown as well."""
    return subprocess.run([M220, *arguments], capture_output=True, text=True, cwd=ROOT).stdout


# Which pages there are.

def on_files(files, config):
    for path in pages_of(config.nav):
        if path in files.src_uris:
            continue
        made = MADE.get(path)
        add(files, config, path, made() if made else None, page_name(path))
        text = files.get_file_from_path(path).content_string
        for target in re.findall(r"\]\(([^)\s#]+\.(?:svg|png))\)", text):
            picture = os.path.normpath(os.path.join(os.path.dirname(path), target))
            if picture not in files.src_uris:
                add(files, config, picture, None, f"pictures/{os.path.basename(picture)}")


def add(files, config, path, content, name):
    place = {"content": content} if content is not None else {"abs_src_path": str(ROOT / path)}
    file = File.generated(config, path, **place)
    file.dest_uri = name
    files.append(file)


def pages_of(nav):
    if isinstance(nav, str):
        yield nav
    else:
        for part in nav.values() if isinstance(nav, dict) else nav:
            yield from pages_of(part)


def page_name(path):
    """A page is named after its file, a README after its folder."""
    place = Path(path)
    if path.startswith("README"):
        return {".md": "index.html", ".ru.md": "ru/index.html"}["".join(place.suffixes)]
    if path.startswith("ru/"):
        return f"{path[:-3]}.html"
    return f"{(place.parent if place.stem == 'README' else place).stem.lower()}.html"


def essay(language):
    """The chapters one below the other; each leads to its own page, where the machine runs."""
    words = WORDS[language]
    up = "../" * (language != "en")
    chapters = sorted((ESSAY / language).glob("*.md"))
    live = [f"{up}../essay/{language}/{chapter.stem}.html" for chapter in chapters]
    text = [f"# {words['essay']}", re.sub(r"\[(.*)\]", rf'<a href="{live[0]}">\1</a>', words["live"])]
    for chapter, link in zip(chapters, live):
        def machine(block):
            caption = " ".join(line for line in block[1].splitlines() if not line.startswith("task "))
            return f'<p class="live">{caption} <a href="{link}">{words["run"]}</a></p>'

        def picture(image):
            translated = f"{PICTURES}/{image[2]}-{language}.svg"
            drawn = translated if (ROOT / translated).exists() else f"{PICTURES}/{image[2]}.svg"
            return f"![{image[1]}]({up}{drawn})"

        prose = re.sub(r"^# ", f"## {len(text) - 1}. ", chapter.read_text())
        prose = re.sub(r"^```machine .*?\n(.*?)^```$", machine, prose, flags=re.M | re.S)
        text.append(re.sub(r"!\[(.*?)\]\((.*?)\)", picture, prose))
    return "\n\n".join(text)


def book():
    """The page of `m220 book --html`: its pictures become files, its headings and commands Markdown."""
    text = m220("book", "--html", "/dev/stdout").split("<body>")[1].split("</body>")[0]
    text = re.sub(r"<nav>.*?</nav>|(?<=<table) class=.words.", "", text, flags=re.S)
    text = re.sub(r'<h1>(.*?)</h1>', r"\n\n# \1\n\n", text)
    text = re.sub(r'<h2 id="(.*?)">(.*?)</h2>', r"\n\n## \2 {#\1}\n\n", text)
    return re.sub(r"<pre>(.*?)</pre>", lambda pre: f"\n\n```text\n{html.unescape(pre[1])}\n```\n\n", text, flags=re.S)


def codes():
    """The table of `m220 asm --help-opcodes` as a table to print."""
    head, table = m220("asm", "--help-opcodes").split("\n\n", 1)
    head = " ".join(head.split()).removesuffix(" After the name: what makes omega 1.")
    rows = [["code", "Latin", "Cyrillic", "operands", "M-20", "M-220", "what it does", "Omega is 1 if"]]
    for *row, does in re.findall(r"^ (\d\d) +(\S+) +(\S+) +(.*?)  +(\S+) +(\S+)\n((?:      .*\n?)+)", table, re.M):
        does, _, omega = " ".join(does.split()).partition("; omega := ")
        rows.append([*row, does, omega])
    first, *rest = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows]
    body = "\n".join(f"<tr>{row}</tr>" for row in rest)
    return (
        f"# The codes of the M-220\n\n{head}\n\n<table>\n<thead><tr>{first.replace('td>', 'th>')}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>\n"
    )


MADE = {"essay.md": lambda: essay("en"), "ru/essay.md": lambda: essay("ru"), "book.md": book, "codes.md": codes}


# What is in a page.

def on_page_markdown(markdown, page, config, files):
    writer = Writer(page, config, files)
    last = {fence[2]: fence.start() for fence in FENCE.finditer(markdown) if fence[2]}
    text, at = [], 0
    for fence in FENCE.finditer(markdown):
        kind, name, content = fence.groups()
        # A program that is put right further down is opened there.
        is_program = kind == "text" and PROGRAM.search(content) and last.get(name, fence.start()) == fence.start()
        title = f' title="{name}"' if "." in (name or "") else ""
        text += [
            writer.prose(markdown[at:fence.start()]),
            f"```{kind}{title}\n{content}```\n",
            writer.program(name or "program.m220", content) if is_program else writer.cards(content),
        ]
        at = fence.end()
    return "".join([*text, writer.prose(markdown[at:])])


class Writer:
    """Writes the links of one page."""

    def __init__(self, page, config, files):
        self.page, self.config, self.files = page, config, files
        self.language = language_of(page)
        self.up = "../" * page.file.dest_uri.count("/")
        self.drawn = set()

    def link(self, fragment, text, about=""):
        language = "" if self.language == "en" else "&lang=ru"
        title = html.escape(f"{WORDS[self.language]['open']}{about and ': '}{about}")
        said = f' aria-label="{title}"' if text == "▸" else ""
        return f'<a class="lab" href="{self.up}../index.html#{fragment}{language}" title="{title}"{said}>{text}</a>'

    def prose(self, text):
        text = LINK.sub(self.outward, re.sub(r"<img[^>]*src=\"(data:[^\"]*)\"", self.embedded, text))
        return CODE.sub(self.marked, text)

    def outward(self, link):
        text, target, anchor = link[1], link[2], link[3] or ""
        if "://" in target or target.startswith("mailto:"):
            return link[0]
        path = os.path.normpath(os.path.join(os.path.dirname(self.page.file.src_uri), target))
        if path in self.files.src_uris or not (ROOT / path).exists():
            return link[0]
        if path.endswith("recordings/experiment.html"):
            return self.link("start=experiment", text)
        if path.startswith("crates/m220-console/essay/"):
            return f'<a href="{self.up}../{path[len("crates/m220-console/"):-3]}.html">{text}</a>'
        named = f"[{text}]({REPOSITORY}{path}{anchor})" if REPOSITORY else text
        is_program = path.endswith(".m220") and PROGRAM.search((ROOT / path).read_text())
        return f"{named} {self.source(path)}" if is_program else named

    def marked(self, code):
        """A position, or a question, that stands in a sentence."""
        content = " ".join((code[1] or "").split())
        asked = question(content) if content.startswith("m220 ") else None
        if FEN.fullmatch(content):
            asked = "attacks", {"fen": content if " " in content else f"{content} w - - 0 1"}
        return f"{code[0]} {self.link(share(*asked), '▸', content)}" if asked else code[0]

    def source(self, path, text="▸"):
        return self.link(share_of(Path(path).name, (ROOT / path).read_text()), text, Path(path).name)

    def program(self, name, content):
        button = self.link(share_of(name, content), f"{WORDS[self.language]['open']}: {name}")
        return f'\n<p class="asked">{button}</p>\n'

    def cards(self, content):
        """Boards and links for the questions of a block of commands."""
        asked = {}
        for line in content.replace("\\\n", " ").splitlines():
            command = line.removeprefix("$ ").strip()
            if not command.startswith("m220 ") or "$" in command:
                continue
            words = words_of(command)
            if words[1:2] == ["run"] and len(words) > 2 and words[2].endswith(".m220"):
                place = next((place for place in (words[2], f"m220-programs/examples/{words[2]}")
                              if (ROOT / place).exists()), None)
                if place and not any(word.endswith(".m220") for word in words[3:]):
                    asked.setdefault(share_of(Path(place).name, (ROOT / place).read_text()), (command, None))
            elif found := question(command):
                asked.setdefault(share(*found), (command, found))
        boards, links = [], []
        for fragment, (command, found) in asked.items():
            label = html.escape(command.removeprefix("m220 "))
            links.append(self.link(fragment, f"{WORDS[self.language]['open']}: {label}"))
            picture = found and self.board(*found)
            if picture:
                boards.append(self.link(fragment, picture, label))
        if not links:
            return ""
        pictures = f'<p class="boards">{"".join(boards)}</p>\n' if boards else ""
        return f'\n{pictures}<p class="asked">{" ".join(links)}</p>\n'

    def board(self, task, asked):
        """The picture of a question, once a page: a piece's ways, or else the attacks of the position."""
        # The book's page has its own.
        if "fen" not in asked or self.page.file.src_uri == "book.md":
            return None
        fields = {"fen": asked["fen"]} if task != "trajectories" else asked
        options = ["--lang", self.language]
        options += [word for name, value in fields.items() for word in (f"--{name.replace('_', '-')}", str(value))]
        name = sha256(" ".join(options).encode()).hexdigest()[:12]
        if name in self.drawn:
            return None
        self.drawn.add(name)
        path = f"boards/{name}.svg"
        if path not in self.files.src_uris:
            drawn = m220("trajectories" if task == "trajectories" else "attacks", *options, "--svg", "-")
            if not drawn:
                return None
            self.files.append(File.generated(self.config, path, content=drawn))
        title = re.search("<title>(.*?)</title>", self.files.get_file_from_path(path).content_string)[1]
        return f'<img alt="{title}" src="{self.up}{path}" loading="lazy">'

    def embedded(self, image):
        """A picture that a page of the command brings within itself, as a file."""
        drawn = html.unescape(unquote(image[1].split(",", 1)[1]))
        path = f"boards/{sha256(drawn.encode()).hexdigest()[:12]}.svg"
        if path not in self.files.src_uris:
            self.files.append(File.generated(self.config, path, content=drawn))
        return image[0].replace(image[1], f"{self.up}{path}")


def words_of(command):
    """The words of a command; none of one that goes on in the next line."""
    try:
        return shlex.split(command, comments=True)
    except ValueError:
        return []


def question(command):
    """The task and question of a command, if the laboratory has it."""
    _, task, *words = words_of(command) or ["", ""]
    if task not in FIELDS:
        return None
    given = {}
    for word, value in zip(words, [*words[1:], ""]):
        if word.startswith("--"):
            given[word[2:].replace("-", "_")] = value
    if task == "endings" and words and not words[0].startswith("--"):
        given["ending"] = words[0]
    if "position" in given:
        known = json.loads(m220("positions", given["position"], "--format", "json") or '{"positions": []}')
        if len(known["positions"]) != 1:
            return None
        given["fen"] = known["positions"][0]["fen"]
    if task == "trajectories":
        # A sentence may name the command without a question.
        if not given.keys() >= {"from", "to"}:
            return None
        given.setdefault("fen", FREE)
    asked = {name: int(given[name]) if given[name].isdigit() else given[name] for name in FIELDS[task] if name in given}
    if not ("ending" in asked or FEN.fullmatch(asked.get("fen", ""))):
        return None
    return {"best": "analyse"}.get(task, task), asked


def share_of(name, text):
    return share("source", {"root": name, "files": [{"name": name, "text": text}]})


def share(task, asked):
    """The fragment that opens it, as share.js of the page packs it."""
    place = json.dumps({"task": task, "question": asked, "speed": "fit", "at": 0}, ensure_ascii=False)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = deflate.compress(place.encode()) + deflate.flush()
    signs = base64.urlsafe_b64encode(zlib.crc32(packed).to_bytes(4, "big") + packed)
    return f"share={signs.decode().rstrip('=')}"


def on_page_content(html, page, config, files):
    """A corner of a table heads nothing; the sheets for a class are laid out to be printed."""
    html = html.replace("<th></th>", "<td></td>")
    name = page.file.dest_uri.removesuffix(".html")
    return f'<div class="sheet {name}">{html}</div>' if name in SHEETS else html


# Two languages in one site.

def language_of(page):
    return "ru" if page.file.dest_uri.startswith("ru/") else "en"


def on_nav(nav, config, files):
    *english, russian = nav.items
    for language, items in [("en", english), ("ru", [*russian.children, *english[1:]])]:
        pages = [page for page in nav.pages if language_of(page) == language]
        laboratory = Link(WORDS[language]["laboratory"], f"../index.html{'#lang=ru' if language == 'ru' else ''}")
        navs[language] = Navigation([items[0], laboratory, *items[1:]], pages)
        navs[language].homepage = pages[0]
        pages[0].previous_page = pages[-1].next_page = None


def on_page_context(context, page, config, nav):
    """The theme's words are the page's, and the switch leads to the same page if the other language has it."""
    language = language_of(page)
    config.theme["language"] = language
    config.site_name = WORDS[language]["name"]
    both = page.file.dest_uri.removeprefix("ru/")
    is_both = both in ("index.html", "essay.html")
    for alternate, folder in zip(config.extra["alternate"], ["", "ru/"]):
        alternate["link"] = f"{folder}{both if is_both else 'index.html'}"
    return context | {"nav": navs[language]}


def on_post_page(output, page, config):
    """The theme's dialog of the search has no name."""
    named = f'role="dialog" aria-label="{WORDS[language_of(page)]["search"]}"'
    return output.replace('role="dialog"', named, 1)


def on_post_build(config):
    """Takes away what nobody reads here: maps for the theme's authors, and the search in other languages."""
    kept = {"lunr.ru.min.js", "lunr.stemmer.support.min.js", "lunr.multi.min.js"}
    site = Path(config.site_dir)
    for pattern in ["assets/**/*.map", "assets/javascripts/lunr/**/*.js", "sitemap.xml.gz", "404.html"]:
        for path in site.glob(pattern):
            if path.name not in kept:
                path.unlink()
    # A page opened from a file may not read the index, but run it.
    index = (site / "search/search_index.json").read_text()
    (site / "search/search_index.js").write_text(f"var __index = {index}\n")
    # The theme asks the map of each language for the same page, and follows the switch's own link without one there.
    for folder in ["", "ru"]:
        (site / folder / "sitemap.xml").write_text('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>\n')
    # The laboratory knows by its head what stands beside it.
    laboratory = site.parent / "index.html"
    beside = '<head>\n<meta name="documents" content="docs/">'
    if laboratory.exists() and beside not in (text := laboratory.read_text()):
        laboratory.write_text(text.replace("<head>", beside, 1))
