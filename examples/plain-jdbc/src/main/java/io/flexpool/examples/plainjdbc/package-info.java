// SPDX-License-Identifier: Apache-2.0
/** HikariCP wrapped by flexpool, in plain JDBC: {@code mvn -q -Pdemo -pl examples/plain-jdbc -am}. */
@NullMarked
package io.flexpool.examples.plainjdbc;

import org.jspecify.annotations.NullMarked;
