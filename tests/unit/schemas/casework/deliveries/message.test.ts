import { expect, test } from 'vitest'
import { entityLink, inboxLink } from '../../../../../schemas/casework/deliveries/message.ts'
import { isConsolePath } from '../../../../../schemas/console-pages.ts'
import { alertItem, LINKS } from '../../../../builders/scans/alert-items.ts'

test('links of messages lead to pages of the console, not to routes of the API', () => {
  for (const link of [inboxLink(LINKS), entityLink(LINKS, alertItem())])
    expect([link, isConsolePath(new URL(link).pathname)]).toEqual([link, true])
})
