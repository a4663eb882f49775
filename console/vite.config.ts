import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
    // What is written, not what is about to be: the last names of files are put in after the bundle was made.
    async writeBundle({ dir }) {
      for (const name of readdirSync(dir!, { recursive: true, encoding: 'utf8' })) {
        if (!SQUEEZED.test(name)) continue
        const file = join(dir!, name)
        const bytes = readFileSync(file)
        writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
        writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes))
      }
    },
  }
}

/** `npm run console` builds into `dist`; the API writes the nonce of each answer where NONCE stands (ADR 284). */
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
