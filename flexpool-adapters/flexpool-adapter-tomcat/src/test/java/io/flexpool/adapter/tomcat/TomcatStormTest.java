// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tomcat;

import io.flexpool.adapter.tck.contract.StormContract;

class TomcatStormTest extends StormContract {
    TomcatStormTest() {
        super(new TomcatAdapterTest());
    }
}
