import type { Config } from '../../../platform/config.ts'
import { type OpenTables, openTables } from '../../wiring/open/open-tables.ts'

/** What the commands work with; a platform may run on the same stores. */
export type ReplayContext = OpenTables & { config: Config }

/** @throws what keeps one of the stores from being opened; those before it are closed then */
export const openReplay = async (config: Config): Promise<ReplayContext> => ({ ...(await openTables(config)), config })
