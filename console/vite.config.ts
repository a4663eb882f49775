import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const SQUEEZED = /\.(js|css|svg)$/

/** Beside each file its gzip and brotli forms: the API sends them as they are. */
function squeezed(): Plugin {
  return {
    name: 'squeezed',
    apply: 'build',
    async generateBundle(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!SQUEEZED.test(fileName)) continue
        const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: await promisify(gzip)(bytes, { level: 9 }) })
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: await promisify(brotliCompress)(bytes) })
      }
    },
  }
}

/** `npm run console` builds into `dist`; the API writes the nonce of each answer where NONCE stands (ADR 146). */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), squeezed()],
  html: { cspNonce: 'NONCE' },
  build: {
    target: 'es2022',
    sourcemap: false,
    modulePreload: { polyfill: false },
    // A font or picture inside of a style sheet is a data: address, which the content security policy refuses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Mantine says "use client" in a thousand files, which means nothing here.
      onLog: (level, log, handle) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log)),
    },
  },
  // `npx vite console` for work on the console, against a running platform.
  server: { host: '127.0.0.1', proxy: { '^/(api|auth|openapi.json|docs|livez)': 'http://127.0.0.1:8080' } },
})
