// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.c3p0;

import io.flexpool.adapter.tck.contract.StormContract;

class C3p0StormTest extends StormContract {
    C3p0StormTest() {
        super(new C3p0AdapterTest());
    }
}
