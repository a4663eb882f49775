import { onOnePlatform } from '../../builders/platform/shared.ts'
import { entities } from './told/entities.ts'
import { relations } from './told/relations.ts'

onOnePlatform({ entities, relations })
