// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.druid;

import io.flexpool.adapter.tck.contract.StormContract;

class DruidStormTest extends StormContract {
    DruidStormTest() {
        super(new DruidAdapterTest());
    }
}
