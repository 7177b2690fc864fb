// SPDX-License-Identifier: Apache-2.0
/** What is done about flexpool while a Quarkus application is built. */
@NullMarked
package io.flexpool.quarkus.deployment;

import org.jspecify.annotations.NullMarked;
