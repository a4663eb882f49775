import { onOnePlatform } from '../../builders/platform/shared.ts'
import { misp } from './imports/misp.ts'
import { stixIn } from './imports/stix-in.ts'

// The first exports all domains there are.
onOnePlatform({ MISP: misp, 'objects of STIX': stixIn })
