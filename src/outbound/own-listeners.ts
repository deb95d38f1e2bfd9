import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { classify } from './address.ts'

/** Whether this process listens at an address: on one of its ports, every address of this machine counts. */
export function makeIsOwnListener(
  ownPorts: () => readonly number[],
  machineAddresses: () => readonly string[] = addressesOfThisMachine,
): (address: string, port: number) => boolean {
  return (address, port) => {
    if (!ownPorts().includes(port)) return false
    const kind = classify(address)
    return (
      kind === 'loopback' || kind === 'unspecified' || machineAddresses().includes(ipaddr.process(address).toString())
    )
  }
}

function addressesOfThisMachine(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? [])
}
