import { setFlagsFromString } from 'node:v8'

/**
 * For processes that handle blocks and frames of many megabytes outside of the heap. V8 begins a full collection whenever
 * 64 MB of such memory came since the last one, however large the heap is that it then walks through: a third of the CPU
 * time of the observation job. From here on that memory counts like the heap itself, whose limit grows with what is alive
 * (ADR 151). Call it first; a V8 that does not know the flag says so on standard error and goes on as before.
 */
export const countMemoryOutside = (): void => setFlagsFromString('--external-memory-accounted-in-global-limit')
