import { onOnePlatform } from '../../builders/platform/shared.ts'
import { entities } from './told/entities.ts'
import { indicator } from './told/indicator.ts'
import { relations } from './told/relations.ts'

// The first counts all there is.
onOnePlatform({ 'the story of an indicator': indicator, entities, relations })
