import type { Geo } from '../../../connectors/geo/port.ts'
import type { ObserveRules } from '../../../pipelines/processors/intelligence/observe.ts'
import type { Config } from '../../../platform/config.ts'

/** The rules of the observation job as a rebuild applies them; by which claims are scored depends on the place in the log. */
export const rulesOf = (config: Pick<Config, 'dedupeWindowMs'>, geo: Pick<Geo, 'locate'>): ObserveRules => ({
  dedupeWindow: config.dedupeWindowMs,
  locate: (ip) => geo.locate(ip),
})
