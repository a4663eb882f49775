import { onOnePlatform } from '../../builders/platform/shared.ts'
import { stixValidator } from './collections/stix-validator.ts'

/** As in collections.test.ts, with the bundle of every entity. */
onOnePlatform({ 'the standard': (shared) => stixValidator(shared, 1) })
