// SPDX-License-Identifier: MIT
// What tests put on a chain; its bytecode is in evm_contracts.ts. Made of this by solc 0.8.30 with
// {"optimizer":{"enabled":true,"runs":1},"evmVersion":"paris","metadata":{"appendCBOR":false,"bytecodeHash":"none"}}
pragma solidity 0.8.30;

/// A token with the manner of one of those that there are.
contract TestToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    uint8 constant HONEST = 0;
    /// Tells of transfers that it does not make.
    uint8 constant LYING = 1;
    /// Takes a hundredth of what is sent, and tells of it.
    uint8 constant FEE = 2;
    /// Takes a hundredth of what is sent, and tells of all as if it had arrived.
    uint8 constant HIDDEN_FEE = 3;
    /// Moves nothing and answers false instead of reverting.
    uint8 constant REFUSING = 4;
    /// Answers nothing where it should answer true.
    uint8 constant SILENT = 5;

    uint8 immutable manner;
    uint8 public immutable decimals;
    mapping(address => uint256) public balanceOf;

    constructor(uint8 manner_, uint8 decimals_) {
        manner = manner_;
        decimals = decimals_;
        balanceOf[msg.sender] = type(uint256).max;
    }

    function transfer(address to, uint256 value) public returns (bool) {
        if (manner == REFUSING) return false;
        move(to, value);
        if (manner == SILENT) assembly { return(0, 0) }
        return true;
    }

    /// Pays twice in one transaction.
    function transferTwice(address to, uint256 first, uint256 second) external {
        move(to, first);
        move(to, second);
    }

    function move(address to, uint256 value) private {
        if (manner == LYING) {
            emit Transfer(msg.sender, to, value);
            return;
        }
        uint256 fee = manner == FEE || manner == HIDDEN_FEE ? value / 100 : 0;
        balanceOf[msg.sender] -= value;
        unchecked {
            balanceOf[to] += value - fee;
            balanceOf[address(this)] += fee;
        }
        emit Transfer(msg.sender, to, manner == HIDDEN_FEE ? value : value - fee);
        if (manner == FEE) emit Transfer(msg.sender, address(this), fee);
    }
}

/// Pays on behalf of whoever calls it, and takes no coins itself.
contract Payer {
    function pay(address to) external payable {
        (bool isPaid, ) = to.call{value: msg.value}("");
        require(isPaid);
    }

    function payToken(TestToken token, address to, uint256 value) external {
        token.transfer(to, value);
    }

    /// Pays, and then takes all of it back.
    function payInVain(address to) external payable {
        (bool isPaid, ) = to.call{value: msg.value}("");
        require(!isPaid);
    }
}
