import type { Locator, Page } from 'playwright-core'
import { PATIENCE } from './patience.ts'

/** Somebody at the console, whose clicks, keys and texts are counted. A text that is typed or pasted counts once. */
export type Hands = {
  /** Steps so far. */
  count(): number
  click(what: Locator): Promise<void>
  type(where: Locator, text: string): Promise<void>
  press(key: string): Promise<void>
  /** Chooses an entry of a list by its value. */
  choose(where: Locator, value: string): Promise<void>
}

export function handsAt(page: Page): Hands {
  let steps = 0
  const step = async (act: Promise<unknown>): Promise<void> => {
    steps++
    await act
  }
  return {
    count: () => steps,
    click: (what) => step(what.click(PATIENCE)),
    type: (where, text) => step(where.fill(text, PATIENCE)),
    press: (key) => step(page.keyboard.press(key)),
    choose: (where, value) => step(where.selectOption(value, PATIENCE)),
  }
}
