import { onOnePlatform } from '../../builders/platform/shared.ts'
import { entitySearch } from './searching/entity-search.ts'
import { historyAdvanced } from './searching/history-advanced.ts'
import { hostile } from './searching/hostile.ts'

// The first counts all there is.
onOnePlatform({ 'current entities': entitySearch, 'the history': historyAdvanced, 'what costs too much': hostile })
