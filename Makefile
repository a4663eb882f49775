.DEFAULT_GOAL := help
.PHONY: help install run test check bench

help: ## what you can ask for
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

install: ## install everything Harrier needs (npm only)
	@npm install --no-audit --no-fund

run: install ## install and start the whole platform on embedded defaults
	@npm start --silent

check: install ## format, lint, types, unused code
	@npm run --silent lint && npm run --silent types && npm run --silent unused

test: check ## install, check and run every test
	@npm test --silent

bench: install ## measure, each figure beside its baseline
	@npm run --silent bench
