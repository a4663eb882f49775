import { onOnePlatform } from '../../builders/platform/shared.ts'
import { entities } from './told/entities.ts'
import { relations } from './told/relations.ts'
import { reputation } from './told/reputation.ts'
import { reputationField } from './told/reputation-field.ts'

onOnePlatform({ entities, relations, reputation, reputationField })
