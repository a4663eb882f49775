import { onOnePlatform } from '../../builders/platform/shared.ts'
import { fromElsewhere } from './imports/from-elsewhere.ts'
import { misp } from './imports/misp.ts'
import { stixIn } from './imports/stix-in.ts'

// The first exports all domains there are.
onOnePlatform({ MISP: misp, 'the page for newcomers': fromElsewhere, 'objects of STIX': stixIn })
