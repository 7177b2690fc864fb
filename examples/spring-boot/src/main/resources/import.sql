insert into stock (article, pieces) values ('book', 1000000);
