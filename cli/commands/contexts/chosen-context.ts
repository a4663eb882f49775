import { chosenViews } from '../../../connectors/history/feeds-out/chosen.ts'
import { withRelations } from '../../../connectors/history/feeds-out/chosen-relations.ts'
import type { Config } from '../../../platform/config.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { rulesIn } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Selector } from '../../../schemas/intelligence/selectors/selector.ts'
import { reachEngine } from '../../wiring/open/engine.ts'
import { openGenerations, openHistory } from '../../wiring/open/open-history.ts'

export type ChosenContext = {
  /** The views of a reader in all of the groups that a selector holds for at `now`, unix milliseconds. */
  items(selector: Selector, groups: readonly string[], now: number): AsyncIterable<readonly FeedItem[]>
  /** The same with the relations that the reader sees. */
  related(selector: Selector, groups: readonly string[], now: number): AsyncIterable<readonly FeedItem[]>
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
    const live = await openGenerations(home, engine.url, config.clickhouseCluster).current()
    const [history, rules] = [home.at(live.database), rulesIn(live.rules)]
    const items: ChosenContext['items'] = (selector, groups, now) =>
      chosenViews(history, { groups, selector, rules, now })
    return {
      items,
      related: (selector, groups, now) =>
        withRelations(history, items(selector, groups, now), { groups, selector, rules, now }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
