// SPDX-License-Identifier: Apache-2.0
/** What flexpool says of a pool whose server is the reason, in ten staged situations. */
@NullMarked
package io.flexpool.server.scenario;

import org.jspecify.annotations.NullMarked;
