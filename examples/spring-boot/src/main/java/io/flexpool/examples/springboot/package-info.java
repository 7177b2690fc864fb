// SPDX-License-Identifier: Apache-2.0
/** Orders on Spring Boot, JPA and flexpool's starter: {@code mvn -q -Pdemo -pl examples/spring-boot -am}. */
@NullMarked
package io.flexpool.examples.springboot;

import org.jspecify.annotations.NullMarked;
