import { onOnePlatform } from '../../builders/platform/shared.ts'
import { around } from './asking/around.ts'
import { reporters } from './asking/reporters.ts'
import { verdicts } from './asking/verdicts.ts'
import { entities } from './told/entities.ts'
import { relations } from './told/relations.ts'
import { reputation } from './told/reputation.ts'
import { reputationField } from './told/reputation-field.ts'

// The first has a list of all bad addresses; the second, of all names below one.
onOnePlatform({ verdicts, around, reporters, entities, relations, reputation, reputationField })
