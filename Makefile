.DEFAULT_GOAL := help
.PHONY: help install run check test test-unit test-contract test-e2e test-chaos test-servers test-containers test-bi bench

# REPORTS=<folder> also writes each run's counts there, as <target>.json.
# Three files at a time: each waits part of its time (ADR 176).
# Several processes of each role are enough for a machine of two cores.
WORKERS = 3
VITEST = npx vitest run $(if $(REPORTS),--reporter=default --reporter=json --outputFile.json=$(REPORTS)/$@.json)

# Where the files of tests are; a folder that the caller names wins (ADR 187).
SCRATCH := $(or $(TMPDIR),$(shell infra/dev/scratch.sh))
test test-unit test-contract test-e2e test-chaos test-servers test-bi: export TMPDIR = $(SCRATCH)

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

install: node_modules/.package-lock.json ## install all dependencies (npm only)

# npm install, not npm ci: the lock has no entries for the engine on platforms that were not there when it was made.
node_modules/.package-lock.json: package.json package-lock.json .npmrc
	@npm install && touch $@

run: install ## install and start the whole platform on embedded defaults
	@npm start --silent

check: install ## format, lint, types, unused code
	@npx concurrently --group --names lint,types,unused 'npm run --silent lint' 'npm run --silent types' 'npm run --silent unused'

test: check ## install, check, run every test; tests that need a server that is not configured are skipped with a message
	@npm run --silent prepare
	@$(VITEST)

test-unit: install ## unit tests, without the platform
	@$(VITEST) --maxWorkers=$(WORKERS) tests/unit

test-contract: install ## contract tests of every port, on each adapter that the environment provides
	@$(VITEST) --maxWorkers=$(WORKERS) tests/contract

test-e2e: install ## end-to-end tests of the whole platform
	@npm run --silent prepare
	@$(VITEST) --maxWorkers=$(WORKERS) --exclude tests/e2e/operation/several-processes.test.ts --exclude tests/e2e/accounts/keycloak.test.ts tests/e2e

test-chaos: install ## SIGKILL under load, then compare every table with the log (HARRIER_CHAOS_ROUNDS=20)
	@$(VITEST) --maxWorkers=$(WORKERS) --exclude tests/chaos/several-processes.test.ts tests/chaos

test-servers: install ## end-to-end tests on the servers that the environment names, with several processes of each role, killed at random too
	@$(VITEST) --no-file-parallelism tests/e2e/intelligence/indicator.test.ts tests/e2e/operation/image.test.ts tests/e2e/accounts/keycloak.test.ts tests/e2e/operation/several-processes.test.ts tests/chaos/several-processes.test.ts

test-containers: install ## contract tests and one end-to-end test on containers of the servers (requires a container engine)
	@$(VITEST) --config vitest.containers.config.ts tests/contract tests/e2e/intelligence/indicator.test.ts

test-bi: install ## SQL for analysts: views, access rules, JDBC and Python clients (requires Java, Maven, Python)
	@$(VITEST) tests/contract/history/analysts

bench: install ## run the benchmarks and compare with the baselines
	@npm run --silent bench
