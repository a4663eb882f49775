.DEFAULT_GOAL := help
.PHONY: help install run check test test-unit test-contract test-e2e test-chaos test-servers test-long test-containers test-bi bench

# Where the files of tests are; a folder that the caller names wins (ADR 285).
SCRATCH := $(or $(TMPDIR),$(shell infra/dev/scratch.sh))
test test-unit test-contract test-e2e test-chaos test-servers test-long test-bi: export TMPDIR = $(SCRATCH)

# The stages are in tests/runner/stages.ts. Tests start the program as it is built.
STAGES = npm run --silent prepare && npx node tests/runner/main.ts

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

test: install ## install, check, run every test; tests that need a server that is not configured are skipped with a message
	@$(STAGES)

test-unit: install ## unit tests, without the platform
	@$(STAGES) unit

test-contract: install ## contract tests of every port, on each adapter that the environment provides
	@$(STAGES) contract

test-e2e: install ## end-to-end tests of the whole platform
	@$(STAGES) e2e

test-chaos: install ## SIGKILL under load, then compare every table with the log (HARRIER_CHAOS_ROUNDS=6)
	@$(STAGES) chaos

test-servers: install ## end-to-end tests on the servers that the environment names, with several processes of each role, killed at random too
	@$(STAGES) servers

test-long: install ## soaks, and random tests at five times their length: before a release
	@HARRIER_LONGER=$${HARRIER_LONGER:-5} $(SHELL) -c '$(STAGES) long long-contract'

test-containers: install ## contract tests and one end-to-end test on containers of the servers (requires a container engine)
	@npx vitest run --config vitest.containers.config.ts tests/contract tests/e2e/intelligence/indicator.test.ts

test-bi: install ## SQL for analysts: views, access rules, JDBC and Python clients (requires Java, Maven, Python)
	@npx vitest run --project platform tests/contract/history/analysts

bench: install ## run the benchmarks and compare with the baselines
	@npm run --silent bench
