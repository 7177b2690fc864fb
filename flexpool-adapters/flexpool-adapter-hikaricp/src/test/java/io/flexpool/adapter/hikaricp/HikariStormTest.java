// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import io.flexpool.adapter.tck.contract.StormContract;

class HikariStormTest extends StormContract {
    HikariStormTest() {
        super(new HikariAdapterTest());
    }
}
