import { chosenViews } from '../../../connectors/history/feeds-out/chosen.ts'
import type { Config } from '../../../platform/config.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { rulesIn } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Selector } from '../../../schemas/intelligence/selectors/selector.ts'
import { reachEngine } from '../../wiring/open/engine.ts'
import { openGenerations, openHistory } from '../../wiring/open/history.ts'

export type ChosenContext = {
  /** The views of a reader in all of the groups that a selector holds for at `now`, unix milliseconds. */
  items(selector: Selector, groups: readonly string[], now: number): AsyncIterable<readonly FeedItem[]>
  close(): Promise<void>
}

/** The live entities, beside a running platform or without one. */
export async function openChosen(config: Config): Promise<ChosenContext> {
  const engine = await reachEngine(config)
  const home = openHistory(engine.url)
  const close = async (): Promise<void> => {
    await home.close()
    await engine.stop()
  }
  try {
    const { database, rules } = await openGenerations(home, engine.url, config.clickhouseCluster).current()
    return {
      items: (selector, groups, now) =>
        chosenViews(home.at(database), { groups, selector, rules: rulesIn(rules), now }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
