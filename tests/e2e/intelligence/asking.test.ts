import { onOnePlatform } from '../../builders/platform/shared.ts'
import { around } from './asking/around.ts'
import { reporters } from './asking/reporters.ts'
import { verdicts } from './asking/verdicts.ts'

// The first has a list of all bad addresses; the second, of all names below one.
onOnePlatform({ verdicts, around, reporters })
