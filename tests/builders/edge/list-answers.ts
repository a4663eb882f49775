import { type AnswersOptions, edgeAnswers } from '../../../edge/answers/answers.ts'
import { edgeItem, itemList } from './item-list.ts'

/** What a listener of a test is asked over: some items, and whether they are too old. */
export function listAnswers(items = ITEMS) {
  const state = { stale: false, age: 12.7 as number | null }
  const options: AnswersOptions = {
    list: () => itemList(items),
    isStale: () => state.stale,
    ageSeconds: () => state.age,
  }
  return Object.assign(edgeAnswers(options), { state })
}

const ITEMS = [
  edgeItem('ip', '203.0.113.9', { accuracy: 3, tags: ['botnet', 'c2'] }),
  edgeItem('domain', 'evil-r4.example'),
  edgeItem('url', 'http://c2-r4.example.com/a?b=1'),
  edgeItem('email-address', 'a+b@mail-r4.example'),
  edgeItem('username', 'при\u2028мер r4', { reputation: -1 }),
]
