# One image for every role: `up` (the default), `api`, `observe`, `follow`, `scan-worker` or `lifecycle`; see infra/compose.yaml. `edge` runs from it too (docs/operate/edge.md).
# It runs as an unprivileged user and expects an init process: `docker run --init`, `init: true` in Compose.
FROM node:24-bookworm-slim AS install
WORKDIR /harrier
COPY package.json package-lock.json .npmrc ./
# The Node that comes with the packages is for machines without a new one; this image has it.
RUN npm install --omit=dev --ignore-scripts && rm -rf node_modules/node-linux-* node_modules/.bin

# The package of a release is what runs here too.
FROM node:24-bookworm-slim AS build
WORKDIR /harrier
COPY package.json package-lock.json .npmrc tsconfig.json ./
RUN npm install --ignore-scripts
COPY README.md LICENSE CHANGELOG.md ./
COPY bin ./bin
COPY platform ./platform
COPY schemas ./schemas
COPY connectors ./connectors
COPY edge ./edge
COPY pipelines ./pipelines
COPY api ./api
COPY cli ./cli
COPY console ./console
COPY docs ./docs
COPY site ./site
COPY infra/clickhouse/migrations ./infra/clickhouse/migrations
COPY infra/clickhouse/views ./infra/clickhouse/views
COPY infra/release ./infra/release
RUN node console/build.js && node site/build.js && node bin/build.js && node infra/release/build.ts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 HARRIER_DATA_DIR=/data
RUN install -d -o node -g node -m 700 /data
WORKDIR /harrier
COPY --from=install /harrier/node_modules ./node_modules
COPY --from=build /harrier/.cache/package ./
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --start-period=60s --interval=10s --timeout=5s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The heap as platform/heap.ts has it for the API.
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=100", "--no-allocation-site-pretenuring", "bin/harrier.js"]
CMD ["up"]
