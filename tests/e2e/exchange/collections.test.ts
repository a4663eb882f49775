import { onOnePlatform } from '../../builders/platform/shared.ts'
import { hidden } from './collections/hidden.ts'
import { stix } from './collections/stix.ts'
import { stixValidator } from './collections/stix-validator.ts'
import { taxii } from './collections/taxii.ts'
import { taxiiFollow } from './collections/taxii-follow.ts'

onOnePlatform({
  // Exports all there is of some types.
  'documents of STIX': stix,
  'what others report': hidden,
  collections: taxii,
  'the standard': (shared) => stixValidator(shared, 12),
  'who follows': (shared) => taxiiFollow(shared, 2, 60),
})
