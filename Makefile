.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-print-directory

PORT ?= 8000
BIN := .venv/bin
# There may be more workers than cores: a test often waits for a server or a page to answer. But each has a PostgreSQL,
# servers and a Chromium of its own, so there are never more than four.
PYTEST := $(BIN)/pytest --dist worksteal
NPM := npm --prefix web
# Where this is set, each of the many Python processes of a test run would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

# Directories are among the sources because only they tell of a file that was deleted. Tests do not end up in the build.
WEB_SOURCES := $(shell find web/src web/public web/scripts \( -type f ! -name '*.test.*' \) -o -type d 2>/dev/null) \
  $(wildcard web/*.html web/*.json web/*.ts web/*.js web/*.mjs web/*.cjs)

.PHONY: help
help: ## List what make can do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

.PHONY: setup
setup: ## Install what is needed and build the web app
	@$(MAKE) -j2 --output-sync=line setup-parts

.PHONY: setup-parts
setup-parts: web/dist/index.html .setup/python
	@:

.PHONY: run
run: setup ## Serve a demo desk on 127.0.0.1:8000 (PORT=... for another port)
	@scripts/run_demo_desk $(PORT)

.PHONY: test
test: setup ## Run everything that must pass
	@scripts/ensure_chromium >/dev/null
	@scripts/ensure_firefox >/dev/null
	@scripts/ensure_postgres >/dev/null
	@scripts/ensure_promtool >/dev/null
	@scripts/ensure_pgbouncer >/dev/null
	@scripts/ensure_caddy >/dev/null
	@scripts/test_everything

.PHONY: check
check: setup ## Lint, types, import rules and API drift only
	@$(MAKE) --no-print-directory -j2 --output-sync=target check-server check-web

.PHONY: check-server
check-server:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	scripts/check_api_drift

.PHONY: check-web
check-web:
	$(NPM) run check

.PHONY: test-api
test-api: setup ## Test the back end on SQLite and PostgreSQL, and the repository itself
	$(PYTEST) -n 4 -m "not browser and not deadlines"

# Collects all files, and not only those with such tests: the workers that start later then find them compiled.
.PHONY: test-deadlines
test-deadlines: setup ## Test what happens when the database or a client keeps the server waiting
	$(PYTEST) -n 2 -m deadlines

.PHONY: test-web
test-web: setup ## Test the web app's units and its size
	$(NPM) test
	$(NPM) run budget

.PHONY: test-browser
test-browser: setup ## Run the journeys in a real Chromium, and the main ones in Firefox
	CHROMIUM="$$(scripts/ensure_chromium)" FIREFOX="$$(scripts/ensure_firefox)" $(PYTEST) -n 3 tests/e2e

.PHONY: bench
bench: setup ## Measure against peers (ONLY=page,list LANES=bare,drf QUICK=1); the first run fills a million claims
	$(BIN)/python -m bench $(if $(ONLY),--only=$(ONLY)) $(if $(LANES),--lanes=$(LANES)) $(if $(QUICK),--quick)

.PHONY: drill
drill: setup ## Races, kills, floods, fuzzing, hostile pictures, database trouble in their long form (hours; ONLY="races floods")
	@scripts/ensure_postgres >/dev/null
	@scripts/ensure_pgbouncer >/dev/null
	@scripts/ensure_patroni >/dev/null
	$(BIN)/python -m drills $(ONLY)

.PHONY: wheel
wheel: setup ## Build dist/countinghouse-VERSION-py3-none-any.whl, with the web app and the migrations inside
	@scripts/build_wheel $(BIN)/python dist

.PHONY: openapi
openapi: .setup/python web/node_modules/.package-lock.json ## Regenerate the web app's API types from the server
	$(BIN)/countinghouse openapi > .setup/openapi.json
	mv .setup/openapi.json web/src/api/openapi.json
	$(NPM) run generate

.PHONY: lock
lock: ## Refresh the pinned Python packages in constraints.txt
	scripts/lock_python_packages

.PHONY: format
format: setup ## Format all code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(NPM) run format

.PHONY: clean
clean: ## Remove everything that setup created; data/ stays
	rm -rf .venv .setup .mypy_cache .ruff_cache .pytest_cache .import_linter_cache web/node_modules web/dist dist

.setup/tools:
	@scripts/find_python >/dev/null && scripts/check_node
	@mkdir -p .setup && touch $@

.venv/pyvenv.cfg: | .setup/tools
	"$$(scripts/find_python)" -m venv .venv

# By variables and not by -c, because those pin the build back end as well.
.setup/python: pyproject.toml constraints.txt .venv/pyvenv.cfg
	PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@mkdir -p .setup && touch $@

web/node_modules/.package-lock.json: web/package.json web/package-lock.json web/.npmrc | .setup/tools
	$(NPM) ci --no-audit --no-fund
	@touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(WEB_SOURCES)
	$(NPM) run build
	@touch $@
