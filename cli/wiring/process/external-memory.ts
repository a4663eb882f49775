import { setFlagsFromString } from 'node:v8'

/**
 * For a process that handles blocks and frames of many megabytes outside of the heap, for a time. V8 begins a full
 * collection whenever 64 MB of such memory came since the last one, however large the heap is that it then walks through.
 * From here on that memory counts like the heap itself, whose limit grows with what is alive: less work for more memory
 * (ADR 282). A V8 that does not know the flag says so on standard error and goes on as before.
 */
export const countExternalMemory = (): void => setFlagsFromString('--external-memory-accounted-in-global-limit')
