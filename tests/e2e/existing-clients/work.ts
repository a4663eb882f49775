/** One table, because its later calls need what its earlier ones have reported. */

import { analyticsCalls } from './analytics.ts'
import type { Call } from './call.ts'
import { caseworkCalls } from './casework.ts'
import { ingestCalls } from './ingest.ts'
import { searchCalls } from './search.ts'

/** Needs a platform with `HARRIER_SCAN_ALLOW_PRIVATE=true`. */
export const workCalls: readonly Call[] = [...ingestCalls, ...searchCalls, ...analyticsCalls, ...caseworkCalls]
