"""`python -m summon.book` builds the book anew."""

import sys

from summon.book import main

sys.exit(main())
