import { onOnePlatform } from '../../builders/platform/shared.ts'
import { bulk } from './bulk/bulk.ts'

/** As the bodies of bulk.test.ts, longer. */
onOnePlatform({ bodies: (shared) => bulk(shared, 10_000) })
