// SPDX-License-Identifier: MIT
// The token of the operators' guide, for chains on one's own machine: whoever has it made has all of
// it. The guide has its bytecode, made by solc 0.8.30 of this (language Yul) with
// {"optimizer":{"enabled":true,"runs":1},"evmVersion":"paris"}
object "Token" {
  code {
    sstore(origin(), not(0))
    datacopy(0, dataoffset("runtime"), datasize("runtime"))
    return(0, datasize("runtime"))
  }
  object "runtime" {
    code {
      switch shr(224, calldataload(0))
      case 0x313ce567 { mstore(0, 6) }
      case 0x70a08231 { mstore(0, sload(calldataload(4))) }
      case 0xa9059cbb {
        let to := calldataload(4)
        let value := calldataload(36)
        let had := sload(caller())
        if lt(had, value) { revert(0, 0) }
        sstore(caller(), sub(had, value))
        sstore(to, add(sload(to), value))
        mstore(0, value)
        log3(0, 32, 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef, caller(), to)
        mstore(0, 1)
      }
      default { revert(0, 0) }
      return(0, 32)
    }
  }
}
