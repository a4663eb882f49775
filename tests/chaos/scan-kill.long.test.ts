import { killsUnderScans } from './harness/live/scan-kills.ts'

killsUnderScans(6, 24)
