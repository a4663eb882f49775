import { feedChecks } from '../../../connectors/history/feeds-out/checks.ts'
import type { Config } from '../../../platform/config.ts'
import { rulesIn } from '../../../schemas/intelligence/scoring/rules.ts'
import { reachEngine } from '../../wiring/open/engine.ts'
import { homeOf, openGenerations, openHistory } from '../../wiring/open/open-history.ts'
import type { FeedVerifyContext } from '../feed/verify-feed.ts'

/** The lists of feeds and the live entities, beside a running platform or without one. */
export async function openFeedVerify(config: Config): Promise<FeedVerifyContext> {
  const engine = await reachEngine(config)
  const home = openHistory(engine.url)
  const generations = openGenerations(home, engine.url, config.clickhouseCluster)
  return {
    ...feedChecks(home, homeOf(engine.url)),
    async live() {
      const { database, rules } = await generations.current()
      return { database, rules: rulesIn(rules) }
    },
    async close() {
      await home.close()
      await engine.stop()
    },
  }
}
