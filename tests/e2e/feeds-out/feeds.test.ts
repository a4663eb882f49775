import { onOnePlatform } from '../../builders/platform/shared.ts'
import { delivery } from './feeds/delivery.ts'
import { lists } from './feeds/lists.ts'

// The first lists all addresses there are.
onOnePlatform({ lists, delivery })
