from ._script import main

raise SystemExit(main())
