// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.dbcp2;

import io.flexpool.adapter.tck.contract.StormContract;

class Dbcp2StormTest extends StormContract {
    Dbcp2StormTest() {
        super(new Dbcp2AdapterTest());
    }
}
