import { SensorLines } from './SensorLines.tsx'

/** `/matches/sensors`: how telemetry comes in. */
export default function Sensors() {
  return <SensorLines />
}
