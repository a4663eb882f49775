import { describe } from 'vitest'
import { analystStore } from '../../builders/analysts/analysts.ts'
import { during } from '../../builders/suite/during.ts'
import { clientsOfOthers } from './analysts/clients.ts'
import { whatToolsAskFirst } from './analysts/first-asked.ts'
import { hostileStatements, MINE } from './analysts/hostile.ts'
import { viewsForAnalysts } from './analysts/views.ts'

/** SQL users of the embedded engine, on one: at first without the rows of others, which hostile statements look for. */
const store = during(() => analystStore(MINE))

describe('a SQL user of one group', () => hostileStatements(() => store))
whatToolsAskFirst(() => store)
viewsForAnalysts(() => store)
clientsOfOthers(() => store)
