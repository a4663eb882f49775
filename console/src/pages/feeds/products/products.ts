import { RESOLVERS } from './dns.ts'
import { FIREWALLS } from './firewalls.ts'
import type { Product } from './product.ts'
import { SENSORS } from './sensors.ts'
import { SPLUNK } from './splunk.ts'

/** All products that there are lines for. */
export const PRODUCTS: readonly Product[] = [...FIREWALLS, ...RESOLVERS, ...SENSORS, SPLUNK]
