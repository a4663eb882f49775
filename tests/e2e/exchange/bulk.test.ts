import { onOnePlatform } from '../../builders/platform/shared.ts'
import { tiersWith } from '../../builders/platform/tiers.ts'
import { bulk } from './bulk/bulk.ts'
import { bulkBounds } from './bulk/bulk-bounds.ts'
import { bulkCaller, CALLER_TIERS } from './bulk/bulk-caller.ts'

onOnePlatform(
  {
    // Its clients take a minute to be refused, which no other part may end.
    bounds: bulkBounds,
    callers: bulkCaller,
    bodies: (shared) => bulk(shared, 4_000),
  },
  (place) => tiersWith(place, CALLER_TIERS),
)
