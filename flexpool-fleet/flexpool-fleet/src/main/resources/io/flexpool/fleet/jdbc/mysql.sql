-- The table of flexpool's fleets: a migration script for Flyway or Liquibase, safe to run again.
-- It holds names and numbers only. Its user needs SELECT, INSERT, UPDATE and DELETE.
CREATE TABLE IF NOT EXISTS flexpool_fleet (
  fleet varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  member_name varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  granted integer NOT NULL,
  held integer NOT NULL,
  want integer NOT NULL,
  cap integer NOT NULL,
  reserve integer NOT NULL,
  renewals bigint NOT NULL,
  renewed_ms bigint NOT NULL,
  server varchar(100) NOT NULL,
  PRIMARY KEY (fleet, member_name)
) ENGINE = InnoDB
