import { onOnePlatform } from '../../builders/platform/shared.ts'
import { stixValidator } from './collections/stix-validator.ts'
import { taxiiFollow } from './collections/taxii-follow.ts'

/** As in collections.test.ts, with the bundle of every entity, and a list that changes for longer. */
onOnePlatform({
  'the standard': (shared) => stixValidator(shared, 1),
  'who follows': (shared) => taxiiFollow(shared, 4, 120),
})
